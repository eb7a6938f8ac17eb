"""The verbs of the reviews room, one transaction each.

review_item   ask the rule about an item whose ratings changed; open, refresh or drop its case
cases         take, give back, renew, reopen a case
reading       show a case, and bar its reader from rating the item
decisions     decide a case, revise a decision
letters       write to the raters of a decided case
lessons       make a training item or a guideline example of one
records       what gold and releases are made from, read a batch of items at a time
snapshot      one moment of the database, for many queries
agreement     the agreement of a campaign's raters, computed and kept
background    ask a worker for an agreement report or a release
releases      publish a release, or give the last one again
release_facts what a release is of, and what it calls people
"""
