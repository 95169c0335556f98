/** Whether the keyboard has ⌘ where others have Ctrl. */
export const IS_MAC = /^(?:Mac|iP)/.test(navigator.platform);

/** What opens the palette, as keyboards name it. */
export const PALETTE_KEYS: readonly string[] = IS_MAC ? ['⌘', 'K'] : ['Ctrl', 'K'];
