"""Who answers a model's requests: this process, workers or a cluster; and how many requests there may be."""
