import { staticText } from '../../shared/http/static-text';

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Review console</title><path fill="#0f62fe" d="M16 2 4 7v8c0 7.6 5 13 12 15 7-2 12-7.4 12-15V7z"/><path fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" d="m10.5 16 4 4 7.5-8.5"/></svg>';

// Relative addresses: the page works below a stage name as well as on its own domain.
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fraud Screening Service: API reference</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>body{margin:0}:focus-visible{outline:3px solid #0b5fb8!important;outline-offset:-3px}noscript{display:block;padding:2rem;font:1rem system-ui}</style>
</head>
<body>
<redoc spec-url="openapi.json" hide-download-button="false"></redoc>
<noscript>This page needs JavaScript. The same reference is at <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/reference.js"></script>
</body>
</html>
`;

export const handler = staticText({
  contentType: 'text/html; charset=utf-8',
  text: page,
  contentSecurityPolicy:
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
});
