import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useLive } from '../../../live/live-data.ts';
import { ConfirmDialog } from '../../../parts/overlays/confirm-dialog.tsx';
import { FailureLine } from '../../../parts/failure-line.tsx';
import { FailurePanel } from '../../../parts/failure-panel.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { call } from '../../../session/call.ts';
import { may } from '../../../session/permissions.ts';
import { words } from '../../../shell/language.ts';
import { Empty } from '../../pages/empty.tsx';
import type { TabProps } from '../tab-props.ts';
import { ComponentDrawer, type EditedComponent } from './component-drawer.tsx';
import { Row, type Drop } from './row.tsx';
import { componentsSource } from './source.ts';
import { treePositionOf, stepOf, treeOf, type Component, type TreePosition, type Tree } from './tree.ts';
import { UptimeDrawer } from './uptime-intervals.tsx';
import { useWork, type Work } from './work.ts';

/** The components of a page: a tree of groups and components. */
export const Components = ({ page, notify: say }: TabProps): JSX.Element => {
  const { loaded, again, change } = useLive(componentsSource(page.id), [page.id]);
  if (loaded.status === 'loading') return <Loading />;
  const components = loaded.value;
  if (!components)
    return loaded.status === 'failed' ? <FailurePanel failure={loaded.failure} again={again} /> : <Loading />;
  return (
    <>
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      <ComponentTree page_id={page.id} components={components} show={change} reload={again} notify={say} />
    </>
  );
};

interface ComponentTreeProps extends Pick<TabProps, 'notify'> {
  page_id: string;
  components: readonly Component[];
  show: (how: (components: readonly Component[]) => readonly Component[]) => void;
  reload: () => void;
}

const ComponentTree = ({ page_id, components, show, reload, notify }: ComponentTreeProps): JSX.Element => {
  const edited = useSignal<EditedComponent | null>(null);
  const deleted = useSignal<Component | null>(null);
  const work = useWork({ page_id, components, show, reload, say: notify });
  const { components: says, common } = words.value;
  const mayAdd = may('POST /v1/pages/{page_id}/components');
  const isEditable = may('PATCH /v1/pages/{page_id}/components/{component_id}');
  const close = (): void => {
    edited.value = null;
  };
  const tree = treeOf(components);
  const groups = tree.flatMap(({ component }) => (component.group ? [component] : []));
  const add = (group: boolean) => () => {
    edited.value = { component: null, group };
  };
  const buttons = mayAdd && (
    <div class="actions">
      <button type="button" class="button primary" onClick={add(false)}>
        <Icon name="add" /> {says.addComponent}
      </button>
      <button type="button" class="button" onClick={add(true)}>
        <Icon name="add" /> {says.addGroup}
      </button>
    </div>
  );
  const remove = async ({ id, name }: Component): Promise<void> => {
    await call('DELETE /v1/pages/{page_id}/components/{component_id}', { params: { page_id, component_id: id } });
    show((all) =>
      all.flatMap((one) => (one.id === id ? [] : [one.group_id === id ? { ...one, group_id: null } : one])),
    );
    notify({ text: says.deleted(name) });
  };
  return (
    <section class="components">
      {components.length === 0 ? (
        <Empty title={says.none} text={says.noneText}>
          {buttons}
        </Empty>
      ) : (
        <>
          {buttons}
          {mayAdd && <p class="fine">{says.statusText}</p>}
          {work.failure && <FailureLine failure={work.failure} />}
          <Branches
            tree={tree}
            work={work}
            isEditable={isEditable}
            onOpen={(component) => {
              edited.value = { component, group: component.group };
            }}
            onDelete={(component) => {
              deleted.value = component;
            }}
          />
        </>
      )}
      {!isEditable && edited.value?.component && (
        <UptimeDrawer page_id={page_id} component={edited.value.component} onClose={close} />
      )}
      {isEditable && edited.value && (
        <ComponentDrawer
          key={edited.value.component?.id ?? 'new'}
          page_id={page_id}
          edited={edited.value}
          groups={groups}
          onSaved={(saved) => {
            show((all) => [...all.filter(({ id }) => id !== saved.id), saved]);
            notify({ text: common.saved });
          }}
          onClose={close}
        />
      )}
      {deleted.value && (
        <ConfirmDialog
          title={deleted.value.group ? says.deleteGroup : says.deleteComponent}
          text={
            <>
              <bdi>{deleted.value.name}</bdi>. {deleted.value.group ? says.deleteGroupText : says.deleteComponentText}
            </>
          }
          action={common.delete}
          danger
          onConfirm={() => (deleted.value ? remove(deleted.value) : Promise.resolve())}
          onClose={() => {
            deleted.value = null;
          }}
        />
      )}
    </section>
  );
};

interface BranchesProps {
  tree: Tree;
  work: Work;
  isEditable: boolean;
  onOpen: (component: Component) => void;
  onDelete: (component: Component) => void;
}

/**
 * Returns the position that an item gets when it is dropped next to a row. The position refers to the tree after the
 * dragged item has been removed.
 */
const dropPosition = (tree: Tree, dragged: string, over: string, drop: Drop): TreePosition | null => {
  const [from, to] = [treePositionOf(tree, dragged), treePositionOf(tree, over)];
  if (!from || !to || dragged === over) return null;
  if (drop === 'into') return { group: over, index: 0 };
  const shift = from.group === to.group && from.index < to.index ? -1 : 0;
  return { group: to.group, index: to.index + shift + (drop === 'after' ? 1 : 0) };
};

const Branches = ({ tree, work, isEditable, onOpen, onDelete }: BranchesProps): JSX.Element => {
  const list = useRef<HTMLUListElement>(null);
  const dragged = useSignal<string | null>(null);
  const over = useSignal<{ id: string; drop: Drop } | null>(null);
  const focused = useRef<string | null>(null);
  const hintId = useId();
  const { components: says } = words.value;
  // After a move by keyboard, the moved item is rendered as a new element. Focus that element.
  useEffect(() => {
    const id = focused.current;
    if (id === null) return;
    focused.current = null;
    const row = [...(list.current?.querySelectorAll<HTMLElement>('.component') ?? [])].find(
      ({ dataset }) => dataset['id'] === id,
    );
    row?.querySelector<HTMLElement>('.handle')?.focus();
  });
  const row = (component: Component): JSX.Element => (
    <Row
      component={component}
      isEditable={isEditable}
      hintId={hintId}
      isDragged={dragged.value === component.id}
      drop={dragged.value !== null && over.value?.id === component.id ? over.value.drop : null}
      onOpen={() => {
        onOpen(component);
      }}
      onDelete={() => {
        onDelete(component);
      }}
      onSet={(status) => {
        work.set(component, status);
      }}
      onStep={(direction) => {
        const to = stepOf(tree, component.id, direction);
        if (!to) return;
        focused.current = component.id;
        work.move(component.id, to);
      }}
      onDrag={(isBegin) => {
        dragged.value = isBegin ? component.id : null;
        over.value = null;
      }}
      onOver={(drop) => {
        if (over.value?.id !== component.id || over.value.drop !== drop) over.value = { id: component.id, drop };
      }}
      onDrop={() => {
        const to = dragged.value && over.value && dropPosition(tree, dragged.value, over.value.id, over.value.drop);
        if (to && dragged.value) work.move(dragged.value, to);
        dragged.value = null;
        over.value = null;
      }}
    />
  );
  return (
    <>
      {isEditable && (
        <p id={hintId} class="hidden">
          {says.moveHint}
        </p>
      )}
      <p class="hidden" role="status">
        {work.announced}
      </p>
      <ul ref={list} class="tree">
        {tree.map(({ component, members }) => (
          <li key={component.id}>
            {row(component)}
            {component.group && (
              <ul>
                {members.map((member) => (
                  <li key={member.id}>{row(member)}</li>
                ))}
                {members.length === 0 && <li class="fine empty">{says.emptyGroup}</li>}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </>
  );
};
