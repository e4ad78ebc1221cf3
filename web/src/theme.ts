/** Colours of what is drawn in the picture. */
export interface Theme {
  background: string;
  ground: string;
  grid: string;
  path: string;
}

const themes: Record<"light" | "dark", Theme> = {
  light: { background: "#e9ecef", ground: "#e9ebee", grid: "#7d8790", path: "#7a3db8" },
  dark: { background: "#181b1f", ground: "#3a4047", grid: "#8b949d", path: "#c79bf0" },
};

/** Follows the system until the button is used. */
export function listenToTheme(button: HTMLElement, apply: (theme: Theme) => void): void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen: "light" | "dark" | null = null;
  const update = () => {
    const name = chosen ?? (system.matches ? "dark" : "light");
    document.documentElement.dataset.theme = name;
    apply(themes[name]);
  };
  system.addEventListener("change", update);
  button.addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    update();
  });
  update();
}
