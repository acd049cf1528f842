#!/usr/bin/env node
// Committed and executable, so that a workspace can link the command before the first build.
import "../dist/main.js";
