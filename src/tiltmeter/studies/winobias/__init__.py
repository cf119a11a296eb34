"""WinoBias: pronouns that fit an occupation's stereotype, or go against it."""
