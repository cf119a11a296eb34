"""What was made elsewhere as results, recognised by what files and folders hold."""
