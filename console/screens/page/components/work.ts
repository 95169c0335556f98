import { useSignal } from '@preact/signals';
import type { Failure } from '../../../api/failure.ts';
import { call } from '../../../session/call.ts';
import { words } from '../../../shell/language.ts';
import type { ActionNotice } from '../tab-props.ts';
import type { Status } from './statuses.tsx';
import { movedTo, withMoves, componentMoves, treeOf, type Component, type TreePosition } from './tree.ts';

export interface Work {
  /** error of the most recent change; null: none */
  failure: Failure | null;
  /** text that screen readers announce */
  announced: string;
  set: (component: Component, status: Status) => void;
  move: (id: string, to: TreePosition) => void;
}

export interface WorkOptions {
  page_id: string;
  components: readonly Component[];
  /** updates the display optimistically */
  show: (how: (components: readonly Component[]) => readonly Component[]) => void;
  /** shows the stored state */
  reload: () => void;
  say: (what: ActionNotice) => void;
}

/** Performs actions on the component list. Shows their effect immediately, and reverts it if the request fails. */
export const useWork = ({ page_id, components, show, reload, say }: WorkOptions): Work => {
  const failure = useSignal<Failure | null>(null);
  const announced = useSignal('');

  const doing = (work: () => Promise<void>): void => {
    failure.value = null;
    work().catch((error: unknown) => {
      failure.value = error as Failure;
      reload();
    });
  };
  const patch = (component_id: string, body: Partial<Pick<Component, 'status' | 'position' | 'group_id'>>) =>
    call('PATCH /v1/pages/{page_id}/components/{component_id}', { params: { page_id, component_id }, body });

  const set = (component: Component, status: Status): void => {
    show((all) => all.map((one) => (one.id === component.id ? { ...one, status } : one)));
    doing(async () => {
      const saved = await patch(component.id, { status });
      const { components: says } = words.value;
      say({
        text: says.statusSet(component.name, says.statuses[status]),
        undo: () => {
          set(saved, component.status);
        },
      });
    });
  };

  const move = (id: string, to: TreePosition): void => {
    const tree = movedTo(treeOf(components), id, to);
    const changes = componentMoves(components, tree, id);
    if (changes.length === 0) return;
    show((all) => withMoves(all, changes));
    const siblings =
      to.group === null ? tree : (tree.find(({ component }) => component.id === to.group)?.members ?? []);
    const nameOf = (wanted: string | null): string | null => components.find((one) => one.id === wanted)?.name ?? null;
    announced.value = words.value.components.moved(nameOf(id) ?? '', to.index + 1, siblings.length, nameOf(to.group));
    doing(async () => {
      for (const { id: component_id, group_id, position } of changes) {
        const before = components.find((one) => one.id === component_id);
        await patch(component_id, { position, ...(!before?.group && before?.group_id !== group_id && { group_id }) });
      }
    });
  };
  return { failure: failure.value, announced: announced.value, set, move };
};
