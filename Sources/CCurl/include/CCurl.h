// The functions used of libcurl, which is loaded when it is first needed: if linked, it would delay every start by 5
// ms, whether anything is sent or not. Only its header is needed to build; macOS has its own transport.
#ifndef MISTERTOP_CCURL_H
#define MISTERTOP_CCURL_H

#ifdef __linux__
#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

// CURLE_TOO_LARGE of libcurl 8.6 and later, missing from older headers: response headers beyond libcurl's own limits.
static const CURLcode mistertop_curl_too_large = (CURLcode)100;

/// The library, for consecutive requests over persistent connections. Must be used by one thread at a time.
typedef struct mistertop_curl mistertop_curl;

/// Loads a library, which then stays loaded. Returns NULL if it is missing or lacks a function.
mistertop_curl *mistertop_curl_open(const char *library);

/// The versions of a library and of those below it, such as `libcurl/8.14.1 OpenSSL/3.5.1`; NULL if it is missing.
const char *mistertop_curl_version(const char *library);

/// Closes the connections.
void mistertop_curl_close(mistertop_curl *curl);

/// Resets the options before a request is set up. Returns false on failure.
bool mistertop_curl_prepare(mistertop_curl *curl);

/// curl_easy_setopt, which is variadic: one function for each argument type.
CURLcode mistertop_curl_set_number(mistertop_curl *curl, CURLoption option, long number);
CURLcode mistertop_curl_set_text(mistertop_curl *curl, CURLoption option, const char *text);

/// Sets the request body, which is not copied.
CURLcode mistertop_curl_set_body(mistertop_curl *curl, const void *bytes, size_t count);

/// Adds a header line to the request.
CURLcode mistertop_curl_add_header(mistertop_curl *curl, const char *line);

/// Receives a part of the response; returns false to abort the request.
typedef bool (*mistertop_curl_reader)(void *context, const void *bytes, size_t count);

/// Sets the receivers of the response: header lines, one at a time, and pieces of the body.
CURLcode mistertop_curl_set_readers(
    mistertop_curl *curl, mistertop_curl_reader head, mistertop_curl_reader body, void *context);

/// Starts the request that was set up.
CURLMcode mistertop_curl_begin(mistertop_curl *curl);

/// Does what is possible without blocking, then waits until more is possible, `wake` is readable (-1 for none), or the
/// time in milliseconds is over.
///
/// Returns true while the request is running; afterwards `result` is its outcome.
bool mistertop_curl_step(mistertop_curl *curl, int wake, int milliseconds, CURLcode *result);

/// Ends the request, whether it has finished or not, and discards its setup.
void mistertop_curl_end(mistertop_curl *curl);

/// Describes a result, with details of this request if libcurl provides them.
const char *mistertop_curl_explain(mistertop_curl *curl, CURLcode result);
#endif

#endif
