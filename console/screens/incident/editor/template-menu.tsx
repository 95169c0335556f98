import type { JSX } from 'preact';
import type { Schemas } from '../../../api/openapi.d.ts';
import { Menu } from '../../../parts/overlays/menu.tsx';
import { call } from '../../../session/call.ts';
import { useLoaded } from '../../../session/loaded.ts';
import { words } from '../../../shell/language.ts';
import type { Kind } from './draft.ts';

type Template = Schemas['IncidentTemplate'];

export interface TemplateMenuProps {
  page_id: string;
  kind: Kind;
  onChoose: (template: Template) => void;
}

/** The menu of a page's templates; renders nothing if there are none. */
export const TemplateMenu = ({ page_id, kind, onChoose }: TemplateMenuProps): JSX.Element | null => {
  const { loaded } = useLoaded(
    (signal) => call('GET /v1/incident-templates', { query: { page_id, kind: [kind], page_size: 100 } }, { signal }),
    [page_id, kind],
  );
  const templates = loaded.status === 'loaded' ? loaded.value.incident_templates : [];
  if (templates.length === 0) return null;
  return (
    <div class="from-template">
      <Menu label={words.value.incidents.fromTemplate}>
        {templates.map((template) => (
          <button
            key={template.id}
            type="button"
            onClick={() => {
              onChoose(template);
            }}
          >
            <bdi>{template.name}</bdi>
          </button>
        ))}
      </Menu>
    </div>
  );
};
