"""What is known while an article is read: the matrices printed so far, the steps they give."""
