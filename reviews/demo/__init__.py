"""The demo pack: who plays in it (cast), what happened (journal), and how the journal was made (generator).

Texts and journal lie in fixtures/demo/. Everything is replayed through the services: no state arises by writing rows.
"""
