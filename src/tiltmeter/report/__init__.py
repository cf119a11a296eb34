"""What people read: terminal tables, pictures, the page."""
