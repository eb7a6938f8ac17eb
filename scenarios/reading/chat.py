"""Chat JSONL: `{"messages": [{"role", "content"}, …]}`. The last answer is the response, or the reference."""

from scenarios.reading.conversation import Form, readers

scenario, response = readers(Form(messages="messages", said_by="role", text="content"))
