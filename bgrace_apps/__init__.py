"""Applications built on bgrace: reviews, the explorer, studies, pictures, and their commands."""
