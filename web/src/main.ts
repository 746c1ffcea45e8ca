import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { house } from "./lib/house.svelte";
import { dress } from "./lib/settings.svelte";

addEventListener("error", (event) => {
  if (event.message.startsWith("ResizeObserver loop")) return; // which is no error
  house.complain(new Error(`this page broke (${event.message}); reload it`));
});
addEventListener("unhandledrejection", (event) =>
  house.complain(event.reason ?? new Error("something broke")),
);

dress();
mount(App, { target: document.getElementById("app")! });
