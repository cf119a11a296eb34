"""What people are told before they agree, as text and as facts, and what they agreed to."""
