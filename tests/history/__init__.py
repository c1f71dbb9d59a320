"""What is asked and answered is kept, whatever happens to the program or the file."""
