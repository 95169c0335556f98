import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { Keys } from '../parts/keys.tsx';
import { words } from '../shell/language.ts';
import { ShortcutsChoice } from '../shell/preferences.tsx';
import { shortcuts } from '../shell/shortcuts.ts';
import { useOverlayDialog } from '../shell/use-overlay-dialog.ts';
import { screenBindings } from './bindings.ts';
import { globalBindings } from './global-bindings.ts';
import { goKeyOf, navigationScreens } from './navigation-screens.ts';
import { PALETTE_KEYS } from './platform.ts';

interface Line {
  keys: JSX.Element;
  text: string;
}

const PaletteKeys = (): JSX.Element => (
  <span class="keys">
    {PALETTE_KEYS.map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
  </span>
);

const linesOf = (bindings: ReturnType<typeof screenBindings>): readonly Line[] => {
  const { does } = words.value.shortcuts;
  return bindings.map((binding) => ({ keys: <Keys keys={[binding.key]} />, text: does[binding.does] }));
};

const globalLines = (): readonly Line[] => {
  const { screens, shortcuts: says } = words.value;
  const places = navigationScreens().flatMap(({ path, name }) => {
    const key = goKeyOf(path);
    return key === null ? [] : [{ keys: <Keys keys={['g', key]} />, text: says.goTo(screens[name]) }];
  });
  return [{ keys: <PaletteKeys />, text: says.does.palette }, ...linesOf(globalBindings()), ...places];
};

/** The shortcuts of the current screen, and those of all screens. */
const Help = (): JSX.Element => {
  const { close, attributes } = useOverlayDialog('help');
  const id = useId();
  const { close: closeWord, shortcuts: says } = words.value;
  const here = linesOf(screenBindings());
  return (
    <dialog class="confirm keys-help" aria-labelledby={id} {...attributes}>
      <header>
        <h2 id={id}>{says.title}</h2>
        <button type="button" class="icon-button" aria-label={closeWord} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {shortcuts.value === 'off' && <p class="notice">{says.areOff}</p>}
      <div class="columns">
        <KeysSection title={says.here} lines={here} empty={says.noneHere} />
        <KeysSection title={says.everywhere} lines={globalLines()} empty={says.noneHere} />
      </div>
      <ShortcutsChoice />
    </dialog>
  );
};
export default Help;

const KeysSection = ({
  title,
  lines,
  empty,
}: {
  title: string;
  lines: readonly Line[];
  empty: string;
}): JSX.Element => (
  <section>
    <h3>{title}</h3>
    {lines.length === 0 ? (
      <p class="fine">{empty}</p>
    ) : (
      <dl>
        {lines.map(({ keys, text }) => (
          <div key={text}>
            <dt>{keys}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    )}
  </section>
);
