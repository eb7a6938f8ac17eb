"""ShareGPT: `{"conversations": [{"from", "value"}, …]}`. The last answer is the response, or the reference."""

from scenarios.reading.conversation import Form, readers

scenario, response = readers(Form(messages="conversations", said_by="from", text="value"))
