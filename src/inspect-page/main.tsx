import { render } from "preact";
import { Frame } from "./frame.js";
import { listenToKeys } from "./keys.js";
import { readPageData } from "./page-data.js";
import { Session, SessionContext } from "./state/session.js";

const place = document.getElementById("page")!;
try {
  const session = new Session(readPageData());
  document.title = session.recorded.document.subject;
  place.textContent = "";
  listenToKeys(session);
  render(
    <SessionContext.Provider value={session}>
      <Frame />
    </SessionContext.Provider>,
    place,
  );
} catch (error) {
  place.textContent = error instanceof Error ? error.message : String(error);
  throw error;
}
