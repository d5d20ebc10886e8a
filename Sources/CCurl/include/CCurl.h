// The functions used of libcurl. The library is loaded when it is first needed: linked, it would cost every start 5 ms, whether it sends anything or not. Only its header is needed to build; macOS has a transport of its own.
#ifndef MISTERTOP_CCURL_H
#define MISTERTOP_CCURL_H

#ifdef __linux__
#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

// CURLE_TOO_LARGE of libcurl 8.6 and later, which older headers do not have: a head beyond the library's own limits.
static const CURLcode mistertop_curl_too_large = (CURLcode)100;

/// The library, for one exchange after the other over connections that are kept. For one thread at a time.
typedef struct mistertop_curl mistertop_curl;

/// Loads a library, which then stays for good; NULL where it is missing or lacks a function.
mistertop_curl *mistertop_curl_open(const char *library);

/// Closes the connections.
void mistertop_curl_close(mistertop_curl *curl);

/// Makes ready for the description of an exchange.
bool mistertop_curl_prepare(mistertop_curl *curl);

/// curl_easy_setopt, which takes any number of arguments of any type; one function for each type.
CURLcode mistertop_curl_set_number(mistertop_curl *curl, CURLoption option, long number);
CURLcode mistertop_curl_set_text(mistertop_curl *curl, CURLoption option, const char *text);

/// The body; it is not copied.
CURLcode mistertop_curl_set_body(mistertop_curl *curl, const void *bytes, size_t count);

/// Adds a line to the head of the request.
CURLcode mistertop_curl_add_header(mistertop_curl *curl, const char *line);

/// Takes a part of the answer; false ends the exchange.
typedef bool (*mistertop_curl_reader)(void *context, const void *bytes, size_t count);

/// Receiver of the lines of the head, one at a time, and the pieces of the body.
CURLcode mistertop_curl_set_readers(
    mistertop_curl *curl, mistertop_curl_reader head, mistertop_curl_reader body, void *context);

/// Begins the exchange that was described.
CURLMcode mistertop_curl_begin(mistertop_curl *curl);

/// Does what can be done, and then waits: until more can be done, `wake` is readable (-1 for none), or some milliseconds
/// are over.
///
/// Returns whether the exchange goes on; if not, `result` is how it ended.
bool mistertop_curl_step(mistertop_curl *curl, int wake, int milliseconds, CURLcode *result);

/// Ends the exchange, whether it is over or not, and forgets its description.
void mistertop_curl_end(mistertop_curl *curl);

/// The meaning of a result, with the circumstances of this exchange where the library told them.
const char *mistertop_curl_explain(mistertop_curl *curl, CURLcode result);
#endif

#endif
