// The API's own description, from our own files: no script of anybody else runs where people sign in.
window.SwaggerUIBundle({ url: "/api/openapi.json", dom_id: "#api", deepLinking: true });
