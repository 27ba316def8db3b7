import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** A page of the site: a Markdown file of the repository, and what the navigation calls it. */
export interface SitePage {
  readonly source: string;
  readonly title: string;
}

export interface SiteSection {
  readonly title: string;
  readonly pages: readonly SitePage[];
  /** Pages that are part of the site and reached from a page of the section, not from the navigation. */
  readonly hidden?: readonly string[];
}

/** A folder that links may name; its page lists what is in it. */
export const LISTED_FOLDER = { source: 'docs/adr', title: 'Decision records' } as const;

const markdownIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => posix.join(folder, name));

const page = (source: string, title: string): SitePage => ({ source, title });

/** The navigation, in its order. */
const NAMED: readonly SiteSection[] = [
  {
    title: 'Start',
    pages: [
      page('docs/guide/README.md', 'Guide'),
      page('docs/guide/quickstart.md', 'Quickstart'),
      page('docs/guide/curl.md', 'Two minutes with curl'),
      page('docs/guide/integration.md', 'Integration guide'),
      page('docs/guide/api.md', 'API reference'),
      page('docs/guide/chargebacks.md', 'Feed back chargebacks'),
      page('docs/guide/leave-fraud-detector.md', 'Leave Amazon Fraud Detector'),
      page('docs/guide/migration.md', 'From Amazon Fraud Detector'),
      page('docs/guide/lists.md', 'Lists'),
      page('docs/guide/rules.md', 'Rules'),
      page('docs/guide/warehouse.md', 'Ask your own questions'),
      page('docs/guide/rule-names.md', 'Names in rules'),
      page('docs/guide/mcp.md', 'Ask an assistant (MCP)'),
      page('docs/guide/personal-data.md', 'Personal data'),
      page('docs/guide/sign-in.md', 'Sign in with your organization'),
      page('docs/guide/faq.md', 'Questions and answers'),
    ],
  },
  {
    title: 'Libraries and console',
    pages: [
      page('sdk/client/README.md', 'TypeScript client'),
      page('sdk/python/README.md', 'Python client'),
      page('sdk/device/README.md', 'Device SDK'),
      page('sdk/mcp/README.md', 'MCP server'),
      page('docs/webhook-verification.md', 'Verifying webhooks'),
      page('console/README.md', 'Review console'),
    ],
  },
  {
    title: 'How it decides',
    pages: [
      page('docs/score.md', 'How scoring works'),
      page('docs/model.md', 'The model'),
      page('docs/entities.md', 'Entities'),
      page('docs/ip-intelligence.md', 'IP intelligence'),
      page('docs/model-operations.md', 'Operating models'),
      page('docs/model-format.md', 'Model format'),
    ],
  },
  {
    title: 'Run it',
    pages: [
      page('README.md', 'The project'),
      page('local/README.md', 'The local run'),
      page('docs/first-deployment.md', 'First deployment'),
      page('docs/deploying.md', 'Deploying'),
      page('docs/observability.md', 'What is measured'),
      page('docs/runbook.md', 'Runbook'),
      page('docs/backup-and-restore.md', 'Backup and restore'),
      page('docs/rotation.md', 'Rotation'),
      page('docs/cost.md', 'Cost'),
      page('docs/scale.md', 'Scale'),
      page('docs/measurements.md', 'Measurements'),
      page('docs/promises.md', 'Promises'),
      page('docs/attack-findings.md', 'What an attacker found'),
      page('docs/deployment-findings.md', 'What a first deployment would have found'),
      page('docs/adversary.md', 'The adversary'),
      page('docs/glossary.md', 'Glossary'),
      page('docs/testing.md', 'How the tests are organised'),
      page('SECURITY.md', 'Security'),
    ],
  },
  {
    title: 'Change it',
    pages: [
      page('CONTRIBUTING.md', 'Contributing'),
      page('docs/architecture.md', 'How it is built'),
      page(LISTED_FOLDER.source, LISTED_FOLDER.title),
      page('CHANGELOG.md', 'Changelog'),
    ],
    hidden: ['docs/adr/0001-0020', 'docs/adr/0021-0040', LISTED_FOLDER.source, 'docs/how-to'].flatMap(markdownIn),
  },
];

const sourcesOf = (sections: readonly SiteSection[]): string[] =>
  sections.flatMap(({ pages, hidden = [] }) => [...pages.map(({ source }) => source), ...hidden]);

/** Pages that nobody has found a place for yet are in the navigation all the same, under their own headings. */
const unnamed = ['docs', 'docs/guide']
  .flatMap(markdownIn)
  .filter((source) => !sourcesOf(NAMED).includes(source))
  .map((source) => page(source, /^# (.+)$/m.exec(readFileSync(join(ROOT, source), 'utf8'))?.[1] ?? source));

export const SECTIONS: readonly SiteSection[] =
  unnamed.length === 0 ? NAMED : [...NAMED, { title: 'More', pages: unnamed }];

/** Every source of a page. */
export const SOURCES: readonly string[] = sourcesOf(SECTIONS);

/** Where the page of a source lies in the site: the guide is its front, the folder `docs` is not repeated. */
export function sitePath(source: string): string {
  if (source === 'README.md') return 'project.html';
  if (source === LISTED_FOLDER.source) return 'adr/index.html';
  return source
    .replace(/^docs\/(guide\/)?/, '')
    .replace(/(^|\/)README\.md$/, '$1index.html')
    .replace(/\.md$/, '.html')
    .toLowerCase();
}

/** Where a file that pages show or link to is copied. */
export const filePath = (source: string): string => posix.join('files', source);

/** The way from one page of the site to another. */
export const relativeLink = (from: string, to: string): string => posix.relative(posix.dirname(from), to);
