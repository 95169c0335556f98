import type { JSX } from 'preact';
import { CopyLine } from '../../parts/copy-line.tsx';
import { Drawer } from '../../parts/overlays/drawer.tsx';
import { SERVICE_URL } from '../../urls.ts';
import { words } from '../../shell/language.ts';
import { reachOf, startCommands } from './command.ts';

/** A newly created token. */
export interface CreatedToken {
  /** name of the runner */
  name: string;
  token: string;
  /** whether the token replaces another token */
  isRotated: boolean;
}

/** Shows a new token, and how to start a runner with it. The service never shows the token again. */
export const TokenDrawer = ({ made, onClose }: { made: CreatedToken; onClose: () => void }): JSX.Element => {
  const says = words.value.runners;
  const reach = reachOf(SERVICE_URL);
  const { npx, docker } = startCommands(SERVICE_URL);
  return (
    <Drawer title={made.name} onClose={onClose}>
      <div class="runner-start">
        <p class="notice">{says.once}</p>
        <CopyLine text={made.token} label={says.token} />
        {made.isRotated && <p>{says.rotated}</p>}
        {reach === 'nowhere' && <p class="notice">{says.needsHttps}</p>}
        {reach === 'this machine' && <p class="notice">{says.onlyHere}</p>}
        <h3>{says.start}</h3>
        <p class="hint">{says.startHint}</p>
        <CopyLine text={npx} label={says.start} />
        <h3>{says.docker}</h3>
        <CopyLine text={docker} label={says.docker} />
        <div class="actions">
          <button class="button primary" onClick={onClose}>
            {says.kept}
          </button>
        </div>
      </div>
    </Drawer>
  );
};
