import type { JSX } from 'preact';
import { CopyLine } from '../../parts/copy-line.tsx';
import { Drawer } from '../../parts/overlays/drawer.tsx';
import { SERVICE_URL } from '../../urls.ts';
import { words } from '../../shell/language.ts';

/** A newly created key. */
export interface CreatedKey {
  name: string;
  token: string;
}

/** Shows a newly created key. The service never shows it again. */
export const TokenDrawer = ({ made, onClose }: { made: CreatedKey; onClose: () => void }): JSX.Element => {
  const says = words.value.keys;
  return (
    <Drawer title={made.name} onClose={onClose}>
      <p class="notice">{says.once}</p>
      <CopyLine text={made.token} label={says.key} />
      <p class="hint">{says.example}</p>
      <CopyLine
        text={`curl -H 'Authorization: ${made.token}' ${new URL('v1/checks', SERVICE_URL).href}`}
        label={says.example}
      />
      <div class="actions">
        <button class="button primary" onClick={onClose}>
          {says.kept}
        </button>
      </div>
    </Drawer>
  );
};
