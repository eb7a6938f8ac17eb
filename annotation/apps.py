from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        """Bind what this room adds to the one below (scenarios/ports.py)."""
        from annotation.shown_datasets import datasets_of_manager
        from scenarios.ports import show_datasets

        show_datasets(datasets_of_manager)
