"""What must hold of the stream side: bytes in, records and digest out."""
