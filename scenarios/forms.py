from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import validate_slug
from django.utils.translation import gettext_lazy as _

from scenarios.benchmark import LANGUAGES, TASKS, Condition
from scenarios.models import Import

_FORMATS = [
    ("", _("Tell it from the file")),
    ("concord", "Concord JSONL"),
    ("h2htalk", "H2HTalk (TASK.jsonl)"),
    ("chat", "Chat JSONL (messages)"),
    ("sharegpt", "ShareGPT (conversations)"),
]


class SeveralFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class WholeFolder(SeveralFiles):
    """A folder chooser, where the browser has one."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__({"webkitdirectory": True, **(attrs or {})})


class FilesField(forms.FileField):
    """Files, any number of them."""

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        return [super(FilesField, self).clean(file, initial) for file in data or [] if file]


class ImportForm(forms.Form):
    """What is to be imported, and into which dataset."""

    kind = forms.ChoiceField(label=_("What the files hold"), choices=Import.Kind.choices, widget=forms.RadioSelect)
    dataset = forms.CharField(
        label=_("Dataset"),
        max_length=50,
        validators=[validate_slug],
        widget=forms.TextInput({"list": "known", "autocomplete": "off"}),
        help_text=_("Its short name: letters, digits, - and _. Scenarios make a new dataset where there is none."),
    )
    title = forms.CharField(label=_("Title of a new dataset"), max_length=200, required=False)
    upload = FilesField(label=_("Files"), widget=SeveralFiles({"accept": ".jsonl"}), required=False)
    folder = FilesField(label=_("Or a folder of TASK.jsonl files"), widget=WholeFolder, required=False)
    companion = forms.CharField(
        label=_("Companion"), max_length=200, required=False, help_text=_("Where the lines do not name it.")
    )
    condition = forms.ChoiceField(
        label=_("Condition"),
        choices=[("", _("As the lines say, else without")), *Condition.choices],
        required=False,
    )
    format = forms.ChoiceField(label=_("Format"), choices=_FORMATS, required=False)
    task = forms.ChoiceField(
        label=_("Task"),
        choices=[("", _("As the lines or the files' names say")), *((key, task.name) for key, task in TASKS.items())],
        required=False,
    )
    language = forms.ChoiceField(
        label=_("Language of records that do not say"), choices=[(tag, name) for tag, name in LANGUAGES.items()]
    )
    skip_invalid = forms.BooleanField(label=_("Leave out bad lines, and list them"), required=False)
    new_version = forms.BooleanField(
        label=_("Take changed records as new versions"),
        required=False,
        help_text=_("Otherwise a record with other content under a known key is refused."),
    )
    dry_run = forms.BooleanField(label=_("Only check, write nothing"), required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not cleaned.get("upload") and not cleaned.get("folder") and "upload" not in self.errors:
            self.add_error("upload", _("Choose a file or a folder."))
        return cleaned

    @property
    def chosen(self) -> tuple[list[UploadedFile], bool]:
        """The files, and whether they are a folder: several files are read as one too."""
        files, folder = self.cleaned_data["upload"], self.cleaned_data["folder"]
        return (folder, True) if folder else (files, len(files) > 1)

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of the import service."""
        names = ["dataset", "format", "task", "language", "skip_invalid", "new_version", "dry_run"]
        of_responses = self.cleaned_data["kind"] == Import.Kind.RESPONSES
        names += ["companion", "condition"] if of_responses else ["title"]
        options = {name: self.cleaned_data[name] for name in names}
        nothing = {name: None for name in ("format", "task", "companion", "condition") if options.get(name) == ""}
        return options | nothing
