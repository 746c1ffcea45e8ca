/** Server-sent events over `fetch`, which says why a line was refused. */

import type { TableEvent } from "./types";

const SILENCE = 45_000; // without a sign of life after which a line is taken up anew

export function eventOf(message: string): TableEvent | null {
  const data = message
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5))
    .join("\n");
  return data ? (JSON.parse(data) as TableEvent) : null;
}

/** Read messages until the line ends; each batch of events as it comes. */
export async function* listen(
  path: string,
  after: number,
  stop: AbortSignal,
): AsyncGenerator<TableEvent[]> {
  const line = new AbortController();
  const end = (): void => line.abort();
  stop.addEventListener("abort", end);
  let silence = setTimeout(end, SILENCE);
  try {
    const answer = await fetch(path, {
      headers: { Accept: "text/event-stream", "Last-Event-ID": String(after) },
      cache: "no-store",
      signal: line.signal,
    });
    if (!answer.ok || !answer.body) throw new LineRefused(answer.status);
    yield [];
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ;) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(end, SILENCE);
      const messages = (text + value).split("\n\n");
      text = messages.pop() ?? "";
      yield messages.map(eventOf).filter((each) => each !== null);
    }
  } finally {
    clearTimeout(silence);
    line.abort();
    stop.removeEventListener("abort", end);
  }
}

export class LineRefused extends Error {
  constructor(readonly status: number) {
    super(`the line was refused (${status})`);
  }
}
