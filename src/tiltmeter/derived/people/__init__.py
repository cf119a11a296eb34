"""Groups and traits beside what people say."""
