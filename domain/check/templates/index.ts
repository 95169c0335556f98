import { apiCrud } from './api-crud.ts';
import { brokenImages } from './broken-images.ts';
import { certificate } from './certificate.ts';
import { dnsRecord } from './dns-record.ts';
import { loginForm } from './login-form.ts';
import { pageOpens } from './page-opens.ts';
import { pageSpeed } from './page-speed.ts';
import { pageText } from './page-text.ts';
import { pageTitle } from './page-title.ts';
import { screenshot } from './screenshot.ts';
import { search } from './search.ts';
import type { CheckTemplate } from './template.ts';
import { tokenFlow } from './token-flow.ts';
import { waitingForContent } from './waiting-for-content.ts';

/** The templates of `GET /v1/checks/check-templates`. */
export const CHECK_TEMPLATES: readonly CheckTemplate[] = [
  pageOpens,
  pageTitle,
  pageText,
  screenshot,
  pageSpeed,
  loginForm,
  search,
  brokenImages,
  waitingForContent,
  apiCrud,
  tokenFlow,
  certificate,
  dnsRecord,
];
