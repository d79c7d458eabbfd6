// The floor as it changes: an event stream that comes back by itself, and says when it is lost.

export function listen(onTold, onConnection, link = "") {
  let source = null;
  let wait = 500;
  const open = () => {
    source = new EventSource(`/api/events${link ? `?link=${encodeURIComponent(link)}` : ""}`);
    source.addEventListener("floor", (event) => {
      wait = 500;
      onConnection(true);
      onTold(JSON.parse(event.data));
    });
    source.onerror = () => {
      onConnection(false);
      // The browser reconnects by itself with the last id, unless the server has refused: then we begin again.
      if (source.readyState === EventSource.CLOSED) {
        setTimeout(open, wait);
        wait = Math.min(wait * 2, 5000);
      }
    };
  };
  open();
  addEventListener("online", () => source.readyState === EventSource.CLOSED && open());
  addEventListener("offline", () => onConnection(false));
}
