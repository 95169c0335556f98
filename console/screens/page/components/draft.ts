import type { RequestOf } from '../../../api/request.ts';
import type { Component } from './tree.ts';

type NewComponent = RequestOf<'POST /v1/pages/{page_id}/components'>['body'];

/** What determines the state of a component automatically: nothing, a check, or all checks with a tag. */
export const WATCHES = ['none', 'check', 'tag'] as const;
export type Watch = (typeof WATCHES)[number];

/** The values of the component or group form. */
export interface ComponentDraft {
  name: string;
  description: string;
  /** empty: in no group */
  group_id: string;
  start_date: string;
  showcase: boolean;
  only_show_if_degraded: boolean;
  watch: Watch;
  check_id: string;
  check_tag: string;
  show_response_times: boolean;
}

export const watchOf = ({ check_id, check_tag }: Pick<Component, 'check_id' | 'check_tag'>): Watch =>
  check_tag !== null ? 'tag' : check_id !== null ? 'check' : 'none';

/** Returns the form values of a component. @param component null for a new component */
export const draftOf = (component: Component | null): ComponentDraft => ({
  name: component?.name ?? '',
  description: component?.description ?? '',
  group_id: component?.group_id ?? '',
  start_date: component?.start_date ?? '',
  showcase: component?.showcase ?? true,
  only_show_if_degraded: component?.only_show_if_degraded ?? false,
  watch: component ? watchOf(component) : 'none',
  check_id: component?.check_id ?? '',
  check_tag: component?.check_tag ?? '',
  show_response_times: component?.show_response_times ?? false,
});

/** Returns the request body for a draft. A group has no checks or response times, and is in no group. */
export const bodyOf = (draft: ComponentDraft, isGroup: boolean, isNew: boolean): NewComponent => ({
  name: draft.name,
  description: draft.description.trim() === '' ? null : draft.description,
  showcase: draft.showcase,
  only_show_if_degraded: draft.only_show_if_degraded,
  // Without a date, a new component starts on the day on which it is added.
  ...((draft.start_date !== '' || !isNew) && { start_date: draft.start_date === '' ? null : draft.start_date }),
  ...(isGroup
    ? isNew && { group: true }
    : {
        group_id: draft.group_id === '' ? null : draft.group_id,
        check_id: draft.watch === 'check' ? draft.check_id : null,
        check_tag: draft.watch === 'tag' ? draft.check_tag : null,
        show_response_times: draft.watch !== 'none' && draft.show_response_times,
      }),
});
