const GAP = 4;
const EDGE = 8;

/** Positions a popover inside the window: below its button, or above the button if there is no room below. */
export const placePopover = (popover: HTMLElement, button: HTMLElement): void => {
  const box = button.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const isBelow = box.bottom + height + EDGE <= innerHeight;
  const top = isBelow ? box.bottom + GAP : Math.max(EDGE, box.top - height - GAP);
  const left = Math.max(EDGE, Math.min(box.left, innerWidth - width - EDGE));
  popover.style.inset = `${top}px auto auto ${left}px`;
};
