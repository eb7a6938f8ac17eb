"""The names under which raters stand in the reports of a campaign. Who may see names looks them up here."""

from django.utils.crypto import salted_hmac

from annotation.models import Campaign, Rating, User


def rater_codes(campaign: Campaign) -> dict[int, str]:
    """{annotator pk: the name they stand under in this campaign's reports}.

    A keyed hash: it tells nothing of the person, and stays the same whoever joins later.
    """
    raters = Rating.objects.in_campaign(campaign).order_by().values_list("annotator", flat=True).distinct()
    hashes = {pk: salted_hmac("reviews.raters", f"{campaign.pk}:{pk}", algorithm="sha256").hexdigest() for pk in raters}
    length = 6
    while len({digest[:length] for digest in hashes.values()}) < len(hashes):
        length += 1
    return {pk: f"rater-{digest[:length]}" for pk, digest in hashes.items()}


def people_of_codes(campaign: Campaign) -> dict[str, User]:
    """{code: the person}, for managers."""
    codes = rater_codes(campaign)
    return {codes[user.pk]: user for user in User.objects.filter(pk__in=codes)}


def names_of_codes(campaign: Campaign) -> dict[str, str]:
    """{code: the person's name}, for managers."""
    return {code: str(person) for code, person in people_of_codes(campaign).items()}
