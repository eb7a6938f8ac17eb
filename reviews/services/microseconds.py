"""Moments as whole numbers, straight from the database: a datetime object a row is most of the time of a long read."""

from typing import Any

from django.db.models import Field, Func

AS_IT_IS = Field()  # an expression of this kind is not converted row by row: an integer field's value would be


class Microseconds(Func):
    """A DateTimeField in microseconds since 1970, UTC."""

    arity = 1
    output_field = AS_IT_IS

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "(EXTRACT(EPOCH FROM %(expressions)s) * 1000000)::bigint"
        return self.as_sql(compiler, connection, template=template, **extra)

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        # Kept as "2026-12-03 08:44:44", with six digits after a point where they are not all 0.
        return self.as_sql(
            compiler,
            connection,
            template="(CAST(strftime('%%%%s', %(expressions)s) AS INTEGER) * 1000000"
            " + CAST(substr(%(expressions)s || '.000000', 21, 6) AS INTEGER))",
            **extra,
        )
