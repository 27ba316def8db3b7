import { staticText } from '../../shared/http/static-text';

// Relative addresses: the page works below a stage name as well as on its own domain.
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fraud Screening Service: API reference</title>
<style>body{margin:0}noscript{display:block;padding:2rem;font:1rem system-ui}</style>
</head>
<body>
<redoc spec-url="openapi.json" disable-search="true" hide-download-button="false"></redoc>
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
