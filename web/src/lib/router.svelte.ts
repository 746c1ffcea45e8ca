/** Where we are: `#/table/65ed91acd867?link=…`. What follows the # never reaches the server. */

export interface Place {
  page: "lobby" | "table" | "game" | "coverage" | "surveillance" | "reports" | "help";
  id: string;
  given: URLSearchParams;
}

const PAGES = ["table", "game", "coverage", "surveillance", "reports", "help"] as const;

export function placeOf(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [name = "", id = ""] = path.split("/");
  const page = PAGES.find((each) => each === name) ?? "lobby";
  return { page, id: /^[\w-]{1,60}$/.test(id) ? id : "", given: new URLSearchParams(query) };
}

let place = $state.raw(placeOf(location.hash));

addEventListener("hashchange", () => (place = placeOf(location.hash)));

export const here = (): Place => place;

export function go(path: string, { replace = false } = {}): void {
  if (replace) location.replace(`#${path}`);
  else location.hash = path;
}
