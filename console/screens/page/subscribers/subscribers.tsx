import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Failure } from '../../../api/failure.ts';
import { useLive } from '../../../live/live-data.ts';
import { ConfirmDialog } from '../../../parts/overlays/confirm-dialog.tsx';
import { FailureLine } from '../../../parts/failure-line.tsx';
import { FailurePanel } from '../../../parts/failure-panel.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { Pager } from '../../../parts/pager.tsx';
import { navigate, currentLocation } from '../../../router/router.ts';
import { call } from '../../../session/call.ts';
import { may } from '../../../session/permissions.ts';
import { words } from '../../../shell/language.ts';
import { Empty } from '../../pages/empty.tsx';
import type { TabProps } from '../tab-props.ts';
import { exportCsv } from './csv.ts';
import { FilterBar } from './filter-bar.tsx';
import { ImportDrawer } from './import-drawer.tsx';
import { addressOf, filterIn, queryOf, type Filter, type Subscriber } from './filter.ts';
import { subscribersSource } from './source.ts';
import { SubscriberDrawer, type DrawerTask } from './subscriber-drawer.tsx';
import { SubscriberTable, type Action } from './table.tsx';

/** Actions that need a confirmation. */
type PendingQuestion = { kind: 'delete' | 'rotate'; subscriber: Subscriber };

/** The subscribers of a page. */
export const Subscribers = ({ page, notify }: TabProps): JSX.Element => {
  const page_id = page.id;
  const filter = filterIn(currentLocation.value.query);
  const { loaded, again } = useLive(subscribersSource(page_id, filter), [page_id, queryOf(filter)]);
  const doing = useSignal<DrawerTask | 'import' | null>(null);
  const asked = useSignal<PendingQuestion | null>(null);
  const failure = useSignal<Failure | null>(null);
  const { subscribers: says } = words.value;
  if (loaded.status === 'loading') return <Loading />;
  const { value } = loaded;
  if (!value) return loaded.status === 'failed' ? <FailurePanel failure={loaded.failure} again={again} /> : <Loading />;

  const show = (next: Filter): void => {
    navigate(`/pages/${page_id}/subscribers${queryOf(next)}`, { replace: true });
  };
  const trying = (work: () => Promise<void>): void => {
    failure.value = null;
    work().catch((error: unknown) => {
      failure.value = error as Failure;
    });
  };
  const toggle = async (subscriber: Subscriber): Promise<void> => {
    const params = { page_id, subscriber_id: subscriber.id };
    const isSilent = !subscriber.deliver_notifications || subscriber.quarantined_at !== null;
    const body = { deliver_notifications: isSilent };
    await call('PATCH /v1/pages/{page_id}/subscribers/{subscriber_id}', { params, body });
    again();
  };
  const onAction = (action: Action, subscriber: Subscriber): void => {
    if (action === 'toggle') trying(() => toggle(subscriber));
    else if (action === 'ask again' || action === 'scope') doing.value = { kind: action, subscriber };
    else asked.value = { kind: action, subscriber };
  };
  const { counts, subscribers, pagination } = value;
  const isEmpty = Object.values(counts).every((count) => count === 0) && queryOf(filter) === '';
  const buttons = (
    <Buttons
      hasSome={!isEmpty}
      onAdd={() => {
        doing.value = { kind: 'add' };
      }}
      onImport={() => {
        doing.value = 'import';
      }}
      onExport={() => {
        trying(() => exportCsv(page_id));
      }}
    />
  );
  return (
    <section class="subscribers">
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {failure.value && <FailureLine failure={failure.value} />}
      {isEmpty ? (
        <Empty title={says.none} text={says.noneText}>
          {buttons}
        </Empty>
      ) : (
        <>
          {buttons}
          <FilterBar filter={filter} counts={counts} onFilter={show} />
          <p class="fine" role="status">
            {says.count(pagination.total_items)}
          </p>
          {subscribers.length === 0 ? (
            <p>{says.noMatch}</p>
          ) : (
            <SubscriberTable page_id={page_id} subscribers={subscribers} onAction={onAction} />
          )}
          <Pager
            pagination={pagination}
            onPage={(next) => {
              show({ ...filter, page: next });
            }}
          />
        </>
      )}
      {doing.value === 'import' && (
        <ImportDrawer
          page_id={page_id}
          onImported={again}
          onClose={() => {
            doing.value = null;
          }}
        />
      )}
      {doing.value !== null && doing.value !== 'import' && (
        <SubscriberDrawer
          page_id={page_id}
          doing={doing.value}
          onDone={(text) => {
            notify({ text });
            again();
          }}
          onSecret={(secret) => {
            doing.value = { kind: 'secret', secret };
          }}
          onClose={() => {
            doing.value = null;
          }}
        />
      )}
      {asked.value && (
        <Question
          page_id={page_id}
          question={asked.value}
          onDone={(outcome) => {
            if (outcome === null) notify({ text: says.deleted });
            else doing.value = { kind: 'secret', secret: outcome };
            again();
          }}
          onClose={() => {
            asked.value = null;
          }}
        />
      )}
    </section>
  );
};

interface ButtonsProps {
  hasSome: boolean;
  onAdd: () => void;
  onImport: () => void;
  onExport: () => void;
}

const Buttons = ({ hasSome, onAdd, onImport, onExport }: ButtonsProps): JSX.Element => {
  const { subscribers: says } = words.value;
  return (
    <div class="actions">
      {may('PATCH /v1/pages/{page_id}/subscribers/{subscriber_id}') && (
        <button type="button" class="button primary" onClick={onAdd}>
          <Icon name="add" /> {says.add}
        </button>
      )}
      {may('POST /v1/pages/{page_id}/subscribers/import') && (
        <button type="button" class="button" onClick={onImport}>
          <Icon name="upload" /> {says.import}
        </button>
      )}
      {hasSome && may('GET /v1/pages/{page_id}/subscribers/export') && (
        <button type="button" class="button" title={says.exporting} onClick={onExport}>
          <Icon name="download" /> {says.export}
        </button>
      )}
    </div>
  );
};

interface QuestionProps {
  page_id: string;
  question: PendingQuestion;
  /** called with the new secret, or with null if the subscriber was removed */
  onDone: (secret: string | null) => void;
  onClose: () => void;
}

const Question = ({ page_id, question: { kind, subscriber }, onDone, onClose }: QuestionProps): JSX.Element => {
  const { subscribers: says, common } = words.value;
  const params = { page_id, subscriber_id: subscriber.id };
  const remove = async (): Promise<void> => {
    await call('DELETE /v1/pages/{page_id}/subscribers/{subscriber_id}', { params });
    onDone(null);
  };
  const rotate = async (): Promise<void> => {
    const { secret } = await call('POST /v1/pages/{page_id}/subscribers/{subscriber_id}/rotate-secret', { params });
    onDone(secret ?? '');
  };
  return kind === 'delete' ? (
    <ConfirmDialog
      title={says.deleteTitle}
      text={<bdi>{says.deleteText(addressOf(subscriber))}</bdi>}
      action={common.remove}
      danger
      onConfirm={remove}
      onClose={onClose}
    />
  ) : (
    <ConfirmDialog
      title={says.rotateTitle}
      text={says.rotateText}
      action={says.rotate}
      onConfirm={rotate}
      onClose={onClose}
    />
  );
};
