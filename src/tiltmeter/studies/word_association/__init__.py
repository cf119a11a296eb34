"""Word association: which of two groups does a model write behind which word, and whom does it choose?"""
