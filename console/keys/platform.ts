/** Whether the keyboard has ⌘ instead of Ctrl. */
export const IS_MAC = /^(?:Mac|iP)/.test(navigator.platform);

/** The shortcut of the palette, as labelled on keyboards. */
export const PALETTE_KEYS: readonly string[] = IS_MAC ? ['⌘', 'K'] : ['Ctrl', 'K'];
