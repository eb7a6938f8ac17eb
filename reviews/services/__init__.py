"""The verbs of the reviews room, one transaction each.

review_item   ask the rule about an item whose ratings changed; open, refresh or drop its case
cases         take, give back, renew, reopen a case
decisions     decide a case, revise a decision
histories     what gold is made from, read from the rows
agreement     the agreement of a campaign's raters, computed and kept
releases      publish a release, or give the last one again
"""
