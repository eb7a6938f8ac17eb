from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from jobs.models import Job
from jobs.request import SignedInRequest
from scenarios.benchmark import Condition
from scenarios.counts import responses_by_companion, scenarios_by_task, sizes
from scenarios.forms import ImportForm
from scenarios.models import Dataset
from scenarios.policy import may_manage_datasets
from scenarios.uploads import UploadRefused, start_import

IMPORTS_SHOWN = 50


@login_required
@require_GET
def datasets(request: SignedInRequest) -> HttpResponse:
    found = list(Dataset.objects.visible_to(request.user))
    may_import = may_manage_datasets(request.user)
    if not found and not may_import:
        raise PermissionDenied
    held = sizes(found)
    rows = [(dataset, held[dataset.pk]) for dataset in found]
    return render(request, "scenarios/datasets.html", {"rows": rows, "may_import": may_import})


@login_required
@require_GET
def dataset(request: SignedInRequest, slug: str) -> HttpResponse:
    found = get_object_or_404(Dataset.objects.visible_to(request.user), slug=slug)
    languages, tasks = scenarios_by_task(found)
    may_import = may_manage_datasets(request.user)
    jobs = Job.objects.visible_to(request.user).unfinished().filter(subject=f"dataset:{slug}")
    context = {
        "dataset": found,
        "size": sizes([found])[found.pk],
        "languages": languages,
        "tasks": tasks,
        "conditions": Condition.choices,
        "companions": responses_by_companion(found),
        "imports": found.imports.exclude(finished_at=None).select_related("created_by")[:IMPORTS_SHOWN],
        "jobs": jobs,
        "may_import": may_import,
    }
    return render(request, "scenarios/dataset.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def import_files(request: SignedInRequest) -> HttpResponse:
    if not may_manage_datasets(request.user):
        raise PermissionDenied
    initial = {"kind": request.GET.get("kind", "scenarios"), "dataset": request.GET.get("dataset", "")}
    initial["language"] = "zh-Hans"
    form = ImportForm(request.POST or None, request.FILES or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        files, as_folder = form.chosen
        try:
            kind = form.cleaned_data["kind"]
            job = start_import(kind=kind, files=files, as_folder=as_folder, options=form.options, by=request.user)
        except UploadRefused as refusal:
            form.add_error("upload", str(refusal))
        else:
            return redirect("jobs:job", job_id=job.pk)
    status = 422 if form.errors else 200
    known = Dataset.objects.visible_to(request.user).values_list("slug", flat=True)
    return render(request, "scenarios/import.html", {"form": form, "known": known}, status=status)
