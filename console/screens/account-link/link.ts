import type { AnswerOf } from '../../api/request.ts';

/** What a link of an account is for. */
export type AccountLink = AnswerOf<'POST /v1/users/link'>;
