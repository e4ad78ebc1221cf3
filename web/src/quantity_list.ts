import { element } from "./format";
import { Quantity } from "./quantities";

/** Rows at a time: heaps have thousands of quantities, which one finds by their names. */
const mostRows = 60;

export interface QuantityActions {
  /** All there are; asked for when the list opens. */
  all(): Quantity[];
  isShown(id: string): boolean;
  toggle(quantity: Quantity): void;
  /** What the run did not record, in words; empty: all. */
  missing(): string;
}

/** A field to search in what can be plotted; its list is open while it is used. */
export class QuantityList {
  readonly root = element("div", { class: "quantities" });
  private readonly search = element("input", { class: "search" });
  private readonly list = element("ul");
  private quantities: Quantity[] = [];

  constructor(private readonly actions: QuantityActions) {
    this.search.type = "search";
    this.search.placeholder = "Plot another quantity";
    this.search.setAttribute("aria-label", "Plot another quantity");
    this.search.setAttribute("role", "combobox");
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-multiselectable", "true");
    this.root.append(this.search, this.list);
    this.search.addEventListener("focus", () => this.open());
    this.search.addEventListener("click", () => this.open());
    this.search.addEventListener("input", () => this.open());
    this.root.addEventListener("focusout", (event) => !this.root.contains(event.relatedTarget as Node | null) && this.close());
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("pointerdown", (event) => event.pointerType === "mouse" && event.target !== this.list && event.preventDefault()); // the field keeps the focus
    this.close();
  }

  private open(): void {
    if (this.list.hidden) this.quantities = this.actions.all();
    this.list.hidden = false;
    this.search.setAttribute("aria-expanded", "true");
    const words = this.search.value.toLowerCase().split(/\s+/);
    const found = this.quantities.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
    this.list.replaceChildren(...found.slice(0, mostRows).map((quantity) => this.row(quantity)));
    const note = (text: string) => text && this.list.append(element("li", { class: "note", text }));
    if (found.length > mostRows) note(`and ${found.length - mostRows} more: search by name`);
    if (found.length === 0) note("Nothing of this name.");
    note(this.actions.missing());
    this.list.scrollIntoView({ block: "nearest" });
  }

  private close(): void {
    this.list.hidden = true;
    this.search.value = "";
    this.search.setAttribute("aria-expanded", "false");
  }

  private row(quantity: Quantity): HTMLLIElement {
    const row = element("li", {}, element("span", { class: "name", text: quantity.title }), element("span", { class: "kind", text: quantity.unit }));
    const show = () => row.setAttribute("aria-selected", String(this.actions.isShown(quantity.id)));
    row.setAttribute("role", "option");
    row.title = quantity.title;
    row.tabIndex = -1;
    row.addEventListener("click", () => {
      this.actions.toggle(quantity);
      show();
    });
    show();
    return row;
  }

  /** Arrows go through the list, Enter chooses, Esc closes it. */
  private key(event: KeyboardEvent): void {
    const rows = [...this.list.querySelectorAll<HTMLLIElement>("li[role]")];
    const at = rows.indexOf(document.activeElement as HTMLLIElement);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps) {
      const next = at + steps[event.key];
      (next < 0 ? this.search : rows[Math.min(next, rows.length - 1)])?.focus();
    } else if (event.key === "Enter") (rows[at] ?? rows[0])?.click();
    else if (event.key === "Escape") {
      this.close();
      (document.activeElement as HTMLElement).blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
