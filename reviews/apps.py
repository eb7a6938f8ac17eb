from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    name = "reviews"

    def ready(self) -> None:
        from annotation import ports
        from reviews.services.review_item import review_item

        ports.bind(after_ratings_changed=review_item)
