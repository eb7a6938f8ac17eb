"""The verbs of the annotation room, one transaction each.

campaigns   make, open, pause, close a campaign
people      add, invite, pause, remove, deactivate a person
leases      give an item to an annotator; renew, hand back, skip, expire
ratings     take a rating, an edit; withdraw one and take it back
items       what the reviews room decides about an item
imported    ratings brought in from a file
rubrics     install a rubric's version, add an example to a campaign's guideline
"""
