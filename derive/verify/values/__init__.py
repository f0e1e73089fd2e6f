"""What expressions come to: in balls, exactly or as printed, and the verdict on a number."""
