"""Reading GGUF files in their own bits with llama.cpp, for the back-end `llama`."""
